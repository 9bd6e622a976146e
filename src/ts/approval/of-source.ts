/** The forms for any `GateSource`. The elements have a gate, and load no code that finds it. */
import { gateIn } from '../gate/gate-source.js';
import { decisionForm, type ApprovalForm } from './approval-form.js';
import { listButtons, type ApproveAll } from './approve-all.js';

/** Creates the decision form of one call. */
export function approvalForm(): ApprovalForm {
  const form = decisionForm();
  return { ...form, view: (about) => form.view({ ...about, gate: gateIn(about.gate) }) };
}

/** Creates the buttons of a list. */
export function approveAll(): ApproveAll {
  const all = listButtons();
  return { ...all, view: (about) => all.view({ ...about, gate: gateIn(about.gate) }) };
}
