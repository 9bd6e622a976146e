/** The encoders of all protocols. */
import type { Encoder } from '../encoder.js';
import { openaiChat } from './openai-chat.js';

export const encoders: readonly Encoder[] = [openaiChat];
