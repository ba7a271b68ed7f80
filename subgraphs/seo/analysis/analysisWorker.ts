export { suggestSafely } from '../suggestion/suggestSafely.ts';
export { analyzeSafely } from './analyzeSafely.ts';
