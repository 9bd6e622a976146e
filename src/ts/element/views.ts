/**
 * The views of `<tool-approval>` and `<tool-approvals>`: the lazy part of `toolgate/element`.
 */
import { fill } from '../describe/call-texts.js';
import { counted, replaced, textsWith } from '../approval/texts.js';
import { CARD_STYLES } from './card-styles.js';
import { button, emit, h, setText } from './card-dom.js';
import { cardFrame } from './card-frame.js';
import { brief, truncated } from '../describe/brief.js';
import { describeRefusal } from '../describe/describe-refusal.js';
import { wordsOf } from '../describe/call-words.js';
import { choice, fieldRow, menu, showProblem } from './field-row.js';
import { findCall } from './found-call.js';
import { elementView } from './element-view.js';
import { textNodes } from './escape-invisible.js';
import { guardPresses } from '../approval/press-guard.js';
import { jsonOf } from '../approval/edited-input.js';
import { layOut } from './layout.js';
import { summaryOf } from '../approval/tool-cards.js';
import { descriptorOf } from '../types/approval-descriptor.js';
import { labelOf } from '../approval/tool-names.js';
import { toolNameOf } from '../types/tool-part.js';

export { cardView } from './card-view.js';
export { listView } from './list-view.js';

/**
 * What the scripts of the questions and of the review use of this one: an import would split it in two. They take it by
 * place, because a name would be in each script: first what both use, then what the review uses, then the questions.
 */
export const shared = [
  brief,
  button,
  fill,
  findCall,
  guardPresses,
  h,
  jsonOf,
  replaced,
  setText,
  toolNameOf,
  wordsOf,
  counted,
  descriptorOf,
  summaryOf,
  CARD_STYLES,
  cardFrame,
  choice,
  describeRefusal,
  elementView,
  emit,
  fieldRow,
  labelOf,
  layOut,
  menu,
  showProblem,
  textNodes,
  textsWith,
  truncated,
] as const;
