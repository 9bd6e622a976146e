/** The page that the packaging cases open, in plain JavaScript. */
import { askedTwice } from './chat.js';
import { show } from './show.js';

show(await askedTwice());
