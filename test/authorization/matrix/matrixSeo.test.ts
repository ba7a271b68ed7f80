import { parts } from '../parts.ts';
import { describeMatrix } from './describeMatrix.ts';

describeMatrix(parts.seo, 'two callers');
