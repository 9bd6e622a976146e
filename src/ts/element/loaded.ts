/**
 * What the script of the questions uses of the cards' script, which is loaded before it. An import would split that
 * script in two.
 */
import { loadedViews } from './view-loader.js';

export const {
  brief,
  button,
  CARD_STYLES,
  CardFrame,
  ElementView,
  emit,
  fill,
  findCall,
  guardPresses,
  h,
  jsonOf,
  labelOf,
  layOut,
  replaced,
  setAttribute,
  setText,
  textNodes,
  truncated,
  wordsOf,
} = loadedViews()!;
