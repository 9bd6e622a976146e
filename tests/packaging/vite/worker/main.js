import '../scenario/page-of-worker.js';
