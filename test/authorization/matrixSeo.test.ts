import { describeMatrix } from './describeMatrix.ts';
import { parts } from './parts.ts';

describeMatrix(parts.seo, 'two callers');
