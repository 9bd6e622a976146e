/** The files of a small café, from which every scenario starts. */
import type { Files } from '../backend/workspace';

/** Opening hours, a menu and prices. */
export const CAFE_FILES: Files = {
  'hours.md': `# Opening hours

Monday to Friday: 8:00 to 18:00
Saturday: 9:00 to 17:00
Sunday: closed
`,
  'menu.md': `# Menu

- Espresso
- Flat white
- Cheese toast
`,
  'prices.json': `{
  "espresso": 2.4,
  "flat white": 3.2,
  "cheese toast": 5.5
}
`,
};
