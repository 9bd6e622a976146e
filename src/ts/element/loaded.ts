/**
 * What the script of the questions uses of the cards' script, which is loaded before it. An import would split that
 * script in two.
 */
type Views = typeof import('./views.js');

export let brief: Views['brief'];
export let button: Views['button'];
export let CARD_STYLES: Views['CARD_STYLES'];
export let cardFrame: Views['cardFrame'];
export let choice: Views['choice'];
export let describeRefusal: Views['describeRefusal'];
export let elementView: Views['elementView'];
export let emit: Views['emit'];
export let fieldRow: Views['fieldRow'];
export let fill: Views['fill'];
export let findCall: Views['findCall'];
export let guardPresses: Views['guardPresses'];
export let h: Views['h'];
export let jsonOf: Views['jsonOf'];
export let labelOf: Views['labelOf'];
export let layOut: Views['layOut'];
export let menu: Views['menu'];
export let replaced: Views['replaced'];
export let setText: Views['setText'];
export let showProblem: Views['showProblem'];
export let textNodes: Views['textNodes'];
export let textsWith: Views['textsWith'];
export let toolNameOf: Views['toolNameOf'];
export let truncated: Views['truncated'];
export let wordsOf: Views['wordsOf'];

/** Takes the cards' script. */
export function take(views: Views): void {
  ({
    brief,
    button,
    CARD_STYLES,
    cardFrame,
    choice,
    describeRefusal,
    elementView,
    emit,
    fieldRow,
    fill,
    findCall,
    guardPresses,
    h,
    jsonOf,
    labelOf,
    layOut,
    menu,
    replaced,
    setText,
    showProblem,
    textNodes,
    textsWith,
    toolNameOf,
    truncated,
    wordsOf,
  } = views);
}
