# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=bash
# Completion of bcoslog for bash: the tool itself knows what there is.

_bcoslog() {
	local words=() word i
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		# A command follows after "--".
		if [ "$word" = -- ] && [ "$i" -lt "$COMP_CWORD" ]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((i + 1))
			elif [ "$COMP_CWORD" = $((i + 1)) ]; then
				# Without the package bash-completion, the name of the command is completed here, and its arguments as files.
				mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}" | sort -u)
			fi
			return
		fi
		# bash splits --option=value into three words.
		[ "$word" != = ] || { [ "$i" -lt "$COMP_CWORD" ] && continue || word=; }
		words+=("$word")
	done
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null | cut -f 1)
}
# bash completes the names of files where the tool offers nothing.
complete -o default -F _bcoslog bcoslog
