import { describeConservation } from './describeConservation.ts';

describeConservation({ leastRuns: 7, mostRuns: 7, limitMs: 120_000 });
