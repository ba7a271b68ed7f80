import { describeConservation } from './describeConservation.ts';

describeConservation(7);
