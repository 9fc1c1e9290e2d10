/** Programs by which a person commits without a terminal, and coding agents, by the names of their processes or packages. */

/** A git that one of these starts is a person's, unless a coding agent comes between. */
export const editors: ReadonlySet<string> = new Set(
  (
    "code code-insiders code-oss codium vscodium emacs gvim macvim nvim-qt neovide zed zed-editor sublime_text " +
    "sublime_merge kate gedit xcode idea pycharm webstorm phpstorm goland clion rider rubymine studio fleet " +
    "gitk git-gui git-cola gitg gitahead gitkraken smartgit sourcetree fork tower github-desktop lazygit tig"
  ).split(" "),
);

export const codingAgents: ReadonlySet<string> = new Set(
  (
    "claude claude-code codex gemini gemini-cli opencode qwen qwen-code cline cn continue pi aider goose amp crush cursor-agent " +
    "copilot droid kiro-cli auggie openhands plandex"
  ).split(" "),
);
