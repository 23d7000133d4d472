export { type Figure, tableOf } from './report.js';
