/** What the script of the questions uses of the cards' script, which is loaded before it. */
import type { Shared } from './view-loader.js';

export let brief: typeof import('../describe/brief.js').brief;
export let button: typeof import('./card-dom.js').button;
export let CARD_STYLES: typeof import('./card-styles.js').CARD_STYLES;
export let cardFrame: typeof import('./card-frame.js').cardFrame;
export let choice: typeof import('./field-row.js').choice;
export let describeRefusal: typeof import('../describe/describe-refusal.js').describeRefusal;
export let elementView: typeof import('./element-view.js').elementView;
export let emit: typeof import('./card-dom.js').emit;
export let fieldRow: typeof import('./field-row.js').fieldRow;
export let fill: typeof import('../describe/call-texts.js').fill;
export let findCall: typeof import('./found-call.js').findCall;
export let guardPresses: typeof import('../approval/press-guard.js').guardPresses;
export let h: typeof import('./card-dom.js').h;
export let jsonOf: typeof import('../approval/edited-input.js').jsonOf;
export let labelOf: typeof import('../approval/tool-names.js').labelOf;
export let layOut: typeof import('./layout.js').layOut;
export let menu: typeof import('./field-row.js').menu;
export let replaced: typeof import('../approval/texts.js').replaced;
export let setText: typeof import('./card-dom.js').setText;
export let showProblem: typeof import('./field-row.js').showProblem;
export let textNodes: typeof import('./escape-invisible.js').textNodes;
export let textsWith: typeof import('../approval/texts.js').textsWith;
export let toolNameOf: typeof import('../types/tool-part.js').toolNameOf;
export let truncated: typeof import('../describe/brief.js').truncated;
export let wordsOf: typeof import('../describe/call-words.js').wordsOf;

/** Takes the cards' script. What only the review uses is left out. */
export function take(all: Shared): void {
  [
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
    ,
    ,
    ,
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
  ] = all;
}
