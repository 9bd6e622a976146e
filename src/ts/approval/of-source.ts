/** The forms for any `GateSource`. The elements have a gate, and load no code that finds it. */
import { gateIn } from '../gate/gate-source.js';
import { decisionForm, type ApprovalForm } from './approval-form.js';
import { listButtons, type ApproveAll } from './approve-all.js';
import type { FormView } from './form-types.js';
import { counted, languageOf, textsWith } from './texts.js';

/** What the form of a call without a gate shows. */
const NOTHING: FormView = {
  key: 0,
  isWaiting: false,
  isDangerous: false,
  summary: '',
  prompt: '',
  question: '',
  fields: [],
  buttons: [],
  deadline: undefined,
  announcement: '',
  problem: '',
};

/** Creates the decision form of one call. */
export function approvalForm(): ApprovalForm {
  const form = decisionForm();
  return { ...form, view: (about) => form.view({ ...about, gate: gateIn(about.gate) }) ?? NOTHING };
}

/** Creates the buttons of a list. */
export function approveAll(): ApproveAll {
  const all = listButtons();
  return {
    ...all,
    view(about) {
      const { open, ...view } = all.view({ ...about, gate: gateIn(about.gate) });
      const texts = textsWith(about.texts);
      const waiting = open > 0 ? counted(texts, 'arrivedMany', open) : '';
      return { ...view, list: texts.list, language: languageOf(texts), waiting };
    },
  };
}
