/** The page that the packaging cases open, in plain JavaScript. */
import { showCards } from './cards.js';

await showCards();
