import '../scenario/page.js';
