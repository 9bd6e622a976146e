// @vitest-environment happy-dom
/**
 * The tags in templates. React renders them with their properties and listeners, and `toolgate/react` and
 * `toolgate/svelte` declare their types.
 */
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { SvelteHTMLElements } from 'svelte/elements';
import { expect, expectTypeOf, test } from 'vitest';
import { createApp, defineComponent, h } from 'vue';
import type { DecisionDetail, ToolApprovalElement, ToolApprovalTags } from 'toolgate/element';
import type {} from 'toolgate/react';
import type {} from 'toolgate/svelte';
import { asking, part } from './support';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

test('React 19 sets properties and receives `decision` events', async () => {
  const gate = asking([{ id: 'c1' }]);
  const heard: DecisionDetail[] = [];
  const host = document.createElement('div');
  document.body.append(host);
  const root = createRoot(host);
  await act(async () =>
    root.render(
      <tool-approval
        gate={gate}
        approvalId="ask-c1"
        texts={{ approve: 'Yes' }}
        className="card"
        ondecision={(event) => heard.push(event.detail)}
      />,
    ),
  );
  const element = host.querySelector<ToolApprovalElement>('tool-approval')!;
  expect(part(element, 'approve').getAttribute('aria-label')).toBe('Yes: delete_file');
  await act(async () => part(element, 'approve').click());
  expect(heard).toMatchObject([{ approvalId: 'ask-c1', approved: true }]);
  await act(async () => root.unmount());
});

test('Vue sets properties and receives `decision` events', () => {
  const gate = asking([{ id: 'c1' }]);
  const heard: DecisionDetail[] = [];
  const host = document.createElement('div');
  document.body.append(host);
  const app = createApp(
    defineComponent(
      () => () =>
        h('tool-approval', {
          gate,
          approvalId: 'ask-c1',
          onDecision: (event: CustomEvent<DecisionDetail>) => heard.push(event.detail),
        }),
    ),
  );
  app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('tool-');
  app.mount(host);
  const element = host.querySelector<ToolApprovalElement>('tool-approval')!;
  expect(element.gate).toBe(gate);
  part(element, 'deny').click();
  expect(heard).toMatchObject([{ approved: false }]);
  app.unmount();
});

test('the tags have types', () => {
  // @ts-expect-error no such choice
  createElement('tool-approval', { remember: 'sometimes' } satisfies ToolApprovalTags['tool-approval']);
  expectTypeOf<ToolApprovalTags['tool-approvals']>().not.toHaveProperty('approvalId');
  expectTypeOf<NonNullable<ToolApprovalTags['tool-approval']['ondecision']>>()
    .parameter(0)
    .toEqualTypeOf<CustomEvent<DecisionDetail>>();
  expectTypeOf<SvelteHTMLElements['tool-approval']['remember']>().toEqualTypeOf<
    ToolApprovalTags['tool-approval']['remember']
  >();
  // @ts-expect-error no such choice
  void (<tool-approvals remember="sometimes" />);
  expectTypeOf<'tool-approval'>().toExtend<keyof HTMLElementTagNameMap>();
});
