import { answer } from '../chat';

export default defineEventHandler((event) => answer(toWebRequest(event)));
