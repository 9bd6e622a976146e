/**
 * Accessibility corrections of VitePress's theme: it calls the search box a button and puts links
 * into its choices, and the outline that opens on a phone is in no landmark. The texts are those of the pinned version.
 * If one is missing, the build fails, and this file must be checked.
 */
const SEARCH = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    `role="dialog"
      aria-modal="true"
      aria-label="Search"`,
  ],
  [
    `aria-autocomplete="both"`,
    `role="combobox"\n            aria-autocomplete="list"\n            :aria-expanded="results?.length ? 'true' : 'false'"`,
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    `role="presentation"`,
  ],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index"
              :aria-selected="selectedIndex === index ? 'true' : 'false'"
              role="option"`,
  ],
  [`<span class="title-icon">#</span>`, `<span class="title-icon" aria-hidden="true">#</span>`],
  [
    `<kbd :aria-label="translate('modal.footer.navigateUpKeyAriaLabel')">`,
    `<kbd role="img" :aria-label="translate('modal.footer.navigateUpKeyAriaLabel')">`,
  ],
  [
    `<kbd :aria-label="translate('modal.footer.navigateDownKeyAriaLabel')">`,
    `<kbd role="img" :aria-label="translate('modal.footer.navigateDownKeyAriaLabel')">`,
  ],
  [
    `<kbd :aria-label="translate('modal.footer.selectKeyAriaLabel')">`,
    `<kbd role="img" :aria-label="translate('modal.footer.selectKeyAriaLabel')">`,
  ],
  [`<kbd :aria-label="translate('modal.footer.closeKeyAriaLabel')">`, `<kbd>`],
];

const OUTLINE = [
  [`<button @click="toggle"`, `<button :aria-expanded="open ? 'true' : 'false'" @click="toggle"`],
  [
    `<div v-if="open" ref="items" class="items"`,
    `<div v-if="open" ref="items" class="items" role="navigation" aria-label="On this page"`,
  ],
];

const CHANGES = new Map([
  ['VPLocalSearchBox.vue', SEARCH],
  ['VPLocalNavOutlineDropdown.vue', OUTLINE],
]);

/** The Vite plugin that makes the changes. */
export const themeChanges = {
  name: 'theme-changes',
  enforce: 'pre',
  transform(code, id) {
    const name = id.split('/').at(-1);
    const changes = CHANGES.get(name);
    if (!changes) return undefined;
    const missing = changes.find(([from]) => !code.includes(from));
    if (missing) this.error(`${name} of this VitePress has no \`${missing[0]}\` (see .vitepress/theme-changes.mjs)`);
    return { code: changes.reduce((text, [from, to]) => text.replace(from, to), code), map: null };
  },
};
