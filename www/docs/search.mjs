/**
 * The search of the documentation. A page is also found by the words that people use; pages that explain
 * come before the API reference, and the changelog comes last.
 */

/** Words of a question that say nothing about its subject. */
const EMPTY =
  /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|get|how|i|if|in|is|it|its|me|my|no|not|of|on|or|own|should|so|that|the|this|to|use|want|we|what|when|where|which|why|will|with|you|your)$/;

/** Other words for the subject of a page. */
const KEYWORDS = {
  accessibility: 'a11y WCAG keyboard contrast zoom screen reader blind',
  benchmarks: 'speed fast slow performance memory',
  element: 'UI component card widget button theme dark mode style CSS i18n l10n translate translation language locale',
  errors: 'offline failed crash exception error code network',
  evidence: 'audit compliance proof log signature',
  faq: 'FAQ license licence size big bundle KB price cost free browser support',
  inspector: 'devtools debug debugger panel trace',
  migration: 'existing app migrate upgrade',
  persistence: 'reload refresh tab tabs offline store storage IndexedDB',
  policies: 'timeout deadline expire always allow deny reject reason',
  security: 'server backend checklist attack forged',
  'server-frameworks': 'my server backend Hono Express Fastify Node route handler',
  servers: 'my server backend Redis Postgres SQLite',
  testing: 'test mock vitest jest playwright',
  'when-not': 'alternatives compare why',
  'your-own-design': 'custom UI headless own component deny with a reason',
};

/** The options of VitePress's own search. Its functions run in the page too, so each is complete in itself. */
export const search = {
  provider: 'local',
  options: {
    miniSearch: {
      options: {
        // Pages and questions are split alike. A name with capitals inside, such as `respondAll`, is also a term of its
        // own. EMPTY becomes part of the function's text.
        processTerm: new Function(
          'term',
          `const t = term.toLowerCase(); return ${EMPTY}.test(t) ? null : /[a-z][A-Z]/.test(term) ? [t, '=' + term] : t;`,
        ),
      },
      searchOptions: {
        combineWith: 'AND',
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 ? 0.15 : false),
        boost: { title: 6, titles: 2, text: 1 },
        // Who types a name of the API looks for its entry.
        boostDocument: (id, term, { title = '' } = {}) => {
          if (id.includes('changelog')) return 0.05;
          return !id.includes('/api/') ? 1 : `=${title.replace('()', '')}` === term ? 100 : 0.1;
        },
      },
    },
    /** The text of a page as the search sees it: the keywords follow its first heading. */
    _render(source, env, markdown) {
      const html = markdown.render(source, env);
      const words = KEYWORDS[env.relativePath.replace(/\.md$/, '')];
      return words ? html.replace('</h1>', `</h1>\n<p>${words}</p>`) : html;
    },
  },
};
