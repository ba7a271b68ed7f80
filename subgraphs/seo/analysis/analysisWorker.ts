export { analyzeSafely as default } from './analyzeSafely.ts';
