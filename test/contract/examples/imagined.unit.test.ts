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

test('the ends of two slugs are alike, also if one looks like the end of a seeded name', () => {
  expect(outlineOf('volvo-145-3b8de6d4eb')).toBe(outlineOf('volvo-145-rtme0anaxw'));
});
