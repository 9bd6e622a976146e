/**
 * The views of `<tool-approval>` and `<tool-approvals>`: the lazy part of `toolgate/element`. The script of
 * `<tool-question>` uses what `loaded.ts` names.
 */
export { fill } from '../describe/call-texts.js';
export { replaced, textsWith } from '../approval/texts.js';
export { CARD_STYLES } from './card-styles.js';
export { button, emit, h, setText } from './card-dom.js';
export { cardFrame } from './card-frame.js';
export { brief, truncated } from '../describe/brief.js';
export { describeRefusal } from '../describe/describe-refusal.js';
export { wordsOf } from '../describe/call-words.js';
export { cardView } from './card-view.js';
export { choice, fieldRow, menu, showProblem } from './field-row.js';
export { findCall } from './found-call.js';
export { elementView } from './element-view.js';
export { textNodes } from './escape-invisible.js';
export { guardPresses } from '../approval/press-guard.js';
export { jsonOf } from '../approval/edited-input.js';
export { layOut } from './layout.js';
export { listView } from './list-view.js';
export { labelOf } from '../approval/tool-names.js';
export { toolNameOf } from '../types/tool-part.js';
