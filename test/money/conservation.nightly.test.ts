import { describeConservation } from './describeConservation.ts';

describeConservation({ leastRuns: 60, mostRuns: 400, limitMs: 540_000 });
