import { describePaymentCrashes } from './payments.ts';

describePaymentCrashes('killed', false);
