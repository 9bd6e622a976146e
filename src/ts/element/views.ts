/** The views of both elements: the lazy part of `toolgate/element`. */
export { CardView } from './card-view.js';
export { ListView } from './list-view.js';
