# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of bcoslog for fish: the tool itself knows what there is.

function __bcoslog_candidates
	set -l words (commandline -opc) (commandline -ct)
	$words[1] complete $words[2..-1] 2>/dev/null
end

complete -c bcoslog -f -a '(__bcoslog_candidates)'
# fish completes the names of files where the tool offers nothing.
complete -c bcoslog -n 'not __bcoslog_candidates | string length -q' -F
