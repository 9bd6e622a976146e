// @vitest-environment happy-dom
/** The headless forms of `toolgate/approval`: what a list knows before a framework has drawn the card again. */
import { approvalForm, approveAll } from 'toolgate/approval';
import { expect, test } from 'vitest';
import { asking, callOf } from '../element/support';

test('when a reason opens, the list stops offering to approve all before anything is drawn again', () => {
  const gate = asking([{ id: 'c1' }, { id: 'c2' }]);
  const [card, root] = [document.createElement('section'), document.createElement('div')];
  card.dataset['status'] = 'waiting';
  card.append(root);
  document.body.append(card);
  const [form, all] = [approvalForm(), approveAll()];
  form.view({ gate, part: callOf(gate, 'c1') });
  form.attach(root);
  form.rendered();
  const offered = (): unknown =>
    all.view({ gate, approvals: gate.pending() }).buttons.map(({ look, isDisabled }) => [look, isDisabled]);
  expect(offered()).toEqual([
    ['other', false],
    ['other', false],
  ]);
  form.press('reasonToggle');
  expect(offered()).toEqual([
    ['other', true],
    ['other', false],
  ]);
  form.press('reasonToggle');
  expect(offered()).toEqual([
    ['other', false],
    ['other', false],
  ]);
});
