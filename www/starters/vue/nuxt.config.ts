export default {
  compatibilityDate: '2026-01-01',
  css: ['~/style.css'],
  app: { head: { title: 'Chat', htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] } },
};
