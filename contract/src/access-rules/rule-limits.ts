/** Maximum number of rules of a site. */
export const maxAccessRules = 1_000;
/** Maximum number of access groups of a rule. */
export const maxRuleGroups = 100;
/** Maximum number of page codes of a rule. */
export const maxRuleCodes = 100;
/** Maximum number of query parameters of a rule for a page. */
export const maxQueryParameters = 20;
/** Maximum number of alternatives of a conditional rule. */
export const maxAlternatives = 20;
/** Maximum number of networks of an alternative. */
export const maxNetworks = 50;
/** Maximum number of characters of the path of a rule. */
export const maxRulePathLength = 500;
/**
 * Maximum number of segments of the path of a rule: a thousand rules of 250 segments took 100 MB and blocked the gate
 * for 0.2 s.
 */
export const maxRulePathNames = 32;
/**
 * Maximum number of names in all paths of the rules of a site, those of a rule for some hosts once for each of them: the
 * trees that the gate compiles have so many nodes.
 */
export const maxRuleNames = 20_000;
/** Maximum number of characters of a requested path. */
export const maxRequestPathLength = 4_096;
