import { describePaymentCrashes } from './payments.ts';

describePaymentCrashes('held');
