/** VitePress's own theme without its fonts, in the colours and type of the demo. */
import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { onBeforeUnmount, onMounted } from 'vue';
import './tokens.css';
import './style.css';

export default {
  extends: DefaultTheme,
  setup() {
    const onResize = () => focusWhatScrolls();
    onMounted(() => addEventListener('resize', onResize));
    onBeforeUnmount(() => removeEventListener('resize', onResize));
    onContentUpdated(focusWhatScrolls);
  },
};

/** Code and tables that are wider than their box can be scrolled with the keyboard. Others are not tab stops. */
function focusWhatScrolls() {
  for (const box of document.querySelectorAll('.vp-doc pre, .vp-doc .table')) {
    const attributes = { tabindex: '0', role: 'group', 'aria-label': box.matches('pre') ? 'Code' : 'Table' };
    for (const [name, value] of Object.entries(attributes)) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  }
}
