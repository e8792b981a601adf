// What the service, the client and the dashboard share about the paths of rules, without the schemas.

export * from './beginnings.ts';
export * from './path-segments.ts';
export * from './program-rules.ts';
export * from './public-root.ts';
export * from './rule-limits.ts';
export * from './rule-paths.ts';
