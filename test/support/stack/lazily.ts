/** A proxy for an object, so that it can be destructured before it exists. Objects of a browser cannot be proxied. */
export function lazily<Type extends object>(find: () => Type): Type {
  return new Proxy({} as Type, {
    get: (_, name) => Reflect.get(find(), name),
    has: (_, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(find(), name);
      // A member that the target of the proxy lacks must not be reported as non-configurable.
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

/**
 * Creates an object before each test: `const anna = perTest(() => market.seller())` after `product()`. Objects are created in
 * the order of their lines. Tests and later hooks read the members of the object.
 */
export function perTest<Type extends object>(create: () => Promise<Type> | Type): Type {
  let object: Type;
  beforeEach(async () => {
    object = await create();
  });
  return lazily(() => object);
}

/** Creates an object once, before the tests of the file, or of the `describe` that calls it. */
export function perFile<Type extends object>(create: () => Promise<Type> | Type): Type {
  let object: Type;
  beforeAll(async () => {
    object = await create();
  });
  return lazily(() => object);
}
