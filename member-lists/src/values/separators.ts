/** What separates group names in our own exports. */
export const ownSeparator = ';';
/** What other programs and people put between group names, and also within one. */
export const possibleSeparators: readonly string[] = [',', '|', '/', '\n'];
/** No one writes this within a name. */
export const unmistakableSeparator = ':::';
/** Those that a person can choose; empty if each cell is one name. */
export const separatorChoices: readonly string[] = [ownSeparator, ...possibleSeparators, ''];
