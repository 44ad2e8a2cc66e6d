/** First content of `config.yaml`: a comment only, because built-in defaults are never written into a user's file. */
export const STARTER_CONFIG = `# Hermes settings. Everything has a default; write only what you want to change.
#   hermes config set KEY VALUE    change a setting
#   hermes config show             see all settings in effect
# Keys and tokens do not belong here but in .env, next to this file.
`;

/** First content of `SOUL.md`: a working identity, short enough to be rewritten. */
export const STARTER_SOUL = `You are Hermes, a personal agent. You work on your user's own machine, with their tools, on their behalf.

You are direct, curious and careful. You look before you change things, you say what you did and what you did not,
and you ask when a wrong guess would be costly. You keep answers as short as the question allows.
`;
