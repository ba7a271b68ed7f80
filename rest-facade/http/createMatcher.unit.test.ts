import { createMatcher } from './createMatcher.ts';

const match = createMatcher([
  ['/api/v1/me', 'me'],
  ['/api/v1/me/sessions', 'sessions'],
  ['/api/v1/listings/{a}', 'listing'],
  ['/api/v1/listings/mine', 'mine'],
  ['/api/v1/listings/mine/{a}/x', 'mine-x'],
  ['/api/v1/listings/{a}/publish', 'publish'],
  ['/api/v1/{a}/{b}/z', 'any-z'],
  ['/namespace/v1/', 'index'],
]);

test.each([
  ['/api/v1/me', 'me', []],
  ['/api/v1/listings/lst_1', 'listing', ['lst_1']],
  ['/api/v1/listings/mine', 'mine', []],
  ['/api/v1/listings/mine/publish', 'publish', ['mine']],
  ['/api/v1/listings/mine/7/x', 'mine-x', ['7']],
  ['/api/v1/listings/7/z', 'any-z', ['listings', '7']],
  ['/api/v1/listings/a%2Fb', 'listing', ['a%2Fb']],
  ['/api/v1/listings/..', 'listing', ['..']],
  ['/namespace/v1/', 'index', []],
])(
  '%s matches %s: a literal beats a parameter, and the matcher backtracks from a dead end',
  (path, target, values) => {
    expect(match(path)).toEqual({ target, values });
  },
);

test.each([
  '/api/v1/me/',
  '//api/v1/me',
  '/api/v1//me',
  '/API/v1/me',
  '/api/v1/ME',
  '/api/v1/%6De',
  '/api/v1%2Fme',
  '/api/v1/listings/',
  '/api/v1/listings//publish',
  '/api/v1/me;x=1',
  '/namespace/v1',
  'api/v1/me',
  '/',
  '',
])('%p matches no mounted path', (path) => {
  expect(match(path)).toBeNull();
});
