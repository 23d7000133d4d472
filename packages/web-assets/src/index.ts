export { webHeaders } from './headers.js';
export { isScreenAddress, routableAddress } from './screen-address.js';
export { type WebAsset, WebAssets } from './web-assets.js';
