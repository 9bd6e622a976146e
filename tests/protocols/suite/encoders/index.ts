/** The encoders of all protocols. */
import type { Encoder } from '../encoder.js';
import { anthropic } from './anthropic.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

export const encoders: readonly Encoder[] = [anthropic, gemini, openaiChat, openaiResponses];
