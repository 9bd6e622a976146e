import { answer } from '../../../server/chat';

export const maxDuration = 60; // seconds
export const POST = answer;
