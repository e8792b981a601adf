/**
 * The characters that change the direction of text (Unicode Standard Annex 9, sections 2.1 to 2.3): embeddings, overrides
 * and isolates. With them a name reads as something else than it is.
 */
export const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

/** Why the service refuses a name that has one of them; part of the message of the error reply. */
export const directionControlsMessage =
  'Remove the invisible characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069).';
