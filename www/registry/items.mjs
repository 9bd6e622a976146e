/**
 * The items of the registry: what `shadcn add`, `shadcn-svelte add` and `shadcn-vue add` install. The files become a
 * part of the app. pkg-scripts/lib/registry.mjs builds them.
 */

const HOMEPAGE = 'https://github.com/example/toolgate';

/** A file of an item, in the folder `toolgate` of the app's components. */
const react = (name) => ({ path: name, type: 'registry:component', target: `@components/toolgate/${name}` });
const svelte = (name) => ({ path: name, type: 'registry:component', target: `toolgate/${name}` });
// shadcn-vue takes the place from the path.
const vue = (name) => ({ path: `components/toolgate/${name}`, type: 'registry:component' });

/** The file that is the same in each framework, from www/registry/shared. */
const shared = (file) => ({ ...file('approval-looks.ts'), from: 'www/registry/shared/approval-looks.ts' });

/** The files that each card contains. */
const PARTS = [...['approval-actions.tsx', 'approval-input.tsx', 'approval-status.tsx'].map(react), shared(react)];
const CARD = [react('approval-card.tsx'), ...PARTS];
const SVELTE_CARD = [
  ...['card', 'actions', 'input', 'status'].map((name) => svelte(`approval-${name}.svelte`)),
  shared(svelte),
];
const VUE_CARD = [...['Card', 'Actions', 'Input', 'Status'].map((name) => vue(`Approval${name}.vue`)), shared(vue)];

/** What all items have in common. */
const item = (name, title, description, files, rest = {}) => ({
  name,
  type: 'registry:component',
  title,
  description,
  dependencies: ['toolgate'],
  registryDependencies: ['button'],
  ...rest,
  files,
});

const CARD_TEXT = 'One tool call of a chat: its input, its status, and what the user can do about it.';
const LIST_TEXT = 'The calls of the current step that need an approval, with Approve all and Deny all.';

/** One registry for each tool. `folder`: below the registry's address; `source`: of the files. */
export const REGISTRIES = [
  {
    folder: '',
    source: 'www/registry/react',
    schema: 'https://ui.shadcn.com/schema',
    homepage: HOMEPAGE,
    items: [
      item('approval-card', 'Approval card', CARD_TEXT, CARD),
      item('approvals-list', 'Approvals list', LIST_TEXT, [react('approvals-list.tsx'), ...CARD]),
      item(
        'ai-elements-tool',
        'Tool of AI Elements',
        'The Tool of AI Elements for a guarded chat. Install `tool` of AI Elements first.',
        [react('ai-elements-tool.tsx'), ...PARTS],
        { registryDependencies: ['button', 'collapsible'] },
      ),
      item(
        'ai-elements-confirmation',
        'Confirmation of AI Elements',
        'The Confirmation of AI Elements for a guarded chat. Install `confirmation` of AI Elements first.',
        [react('ai-elements-confirmation.tsx'), ...PARTS],
      ),
      item(
        'assistant-ui-tool',
        'Tool of assistant-ui',
        'The ToolFallback of assistant-ui for a guarded chat. Install `tool-fallback` of assistant-ui first.',
        [react('assistant-ui-tool.tsx'), ...PARTS],
      ),
    ],
  },
  {
    folder: 'svelte/',
    source: 'www/registry/svelte',
    schema: 'https://shadcn-svelte.com/schema',
    homepage: HOMEPAGE,
    aliases: { '$lib/utils': '$UTILS$', '$lib/components/ui': '$UI$', '$lib/components': '$COMPONENTS$' },
    items: [
      item('approval-card', 'Approval card', CARD_TEXT, SVELTE_CARD),
      item('approvals-list', 'Approvals list', LIST_TEXT, [svelte('approvals-list.svelte'), ...SVELTE_CARD]),
    ],
  },
  {
    folder: 'vue/',
    source: 'www/registry/vue',
    schema: 'https://shadcn-vue.com/schema',
    homepage: HOMEPAGE,
    items: [
      item('approval-card', 'Approval card', CARD_TEXT, VUE_CARD),
      item('approvals-list', 'Approvals list', LIST_TEXT, [vue('ApprovalsList.vue'), ...VUE_CARD]),
    ],
  },
];
