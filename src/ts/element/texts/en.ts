/** The texts of the cards in English: the defaults, and that they are English, whatever the language of the page is. */
import type { ApprovalTexts } from '../../approval/texts.js';

/** English, from left to right. The texts themselves are the defaults. */
export const en: Partial<ApprovalTexts> = { language: 'en' };
