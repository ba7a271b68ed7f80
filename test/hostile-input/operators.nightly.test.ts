import { describeOperators } from './describeOperators.ts';

describeOperators('all values');
