export { type Figure, tableOf } from './measurement/report.js';
