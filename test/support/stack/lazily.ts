/** An object that is read through, so that it can be destructured before it exists. */
export function lazily<Type extends object>(find: () => Type): Type {
  return new Proxy({} as Type, {
    get: (_, name) => Reflect.get(find(), name),
    has: (_, name) => Reflect.has(find(), name),
    ownKeys: () => Reflect.ownKeys(find()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(find(), name);
      // The proxy's own target has no such member, so it may not be reported as fixed.
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}
