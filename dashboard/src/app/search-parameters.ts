type Parameters = Record<string, unknown>;

/**
 * The search parameters of a page, as it reads them. The router adds what it reads to the parameters of the address, so
 * those that are left out as invalid are set to undefined.
 */
export function only<Search extends object>(read: (search: Parameters) => Search) {
  return (search: Parameters): Search => {
    const none = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
    return { ...none, ...read(search) };
  };
}
