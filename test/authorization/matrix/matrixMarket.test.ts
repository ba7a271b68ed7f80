import { parts } from '../parts.ts';
import { describeMatrix } from './describeMatrix.ts';

describeMatrix(parts.market, 'two callers');
