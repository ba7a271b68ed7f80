import { outlineOf } from './imagined.ts';

test.each([
  ['ATAxTThGRTVLSkcwVzc2OEhKRzg2MjVWWlQ0AAAAAAHmLMSRHwrqq_oef6hkojq9', 'a refresh token'],
  ['ATAxTThGRTVLSDVRRVRFRjhTMDJRRjFKOVZGAAAAAAEVSCNvM-YujDqpGjRJHOUd', 'a refresh token without a digit'],
])('%s is replaced, because it is %s', (token) => {
  expect(outlineOf(token)).toBe('c2VhbGVkIHRleHQgb2YgdGhlIHNlcnZlcg');
});

test('a long name without a digit is not replaced', () => {
  expect(outlineOf('requestAccountDeletionPayload')).toBe('requestAccountDeletionPayload');
});
