import { describeOperators } from './describeOperators.ts';

describeOperators('some values');
